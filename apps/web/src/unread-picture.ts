/** Side length of the picture that the taskbar shows over the app's icon, at double resolution. Pixels. */
const SIZE = 32;
/** Larger counts do not fit into the picture. */
const COUNT_MAX = 99;

/** Draws the unread count as a small round PNG. Returns a data URL. */
export function drawUnread(count: number): string | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const pen = canvas.getContext('2d');
  if (!pen) return undefined;
  const text = count > COUNT_MAX ? `${COUNT_MAX}+` : String(count);
  pen.fillStyle = '#c8322b';
  pen.beginPath();
  pen.arc(SIZE / 2, SIZE / 2, SIZE / 2, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = '#fff';
  pen.font = `700 ${text.length > 2 ? 13 : 19}px system-ui, sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(text, SIZE / 2, SIZE / 2 + 1);
  return canvas.toDataURL('image/png');
}
