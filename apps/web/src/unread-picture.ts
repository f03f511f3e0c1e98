/** Side length in pixels, at double resolution. The taskbar shows the picture over the app's icon. */
const SIZE = 32;
/** Larger counts do not fit into the picture. */
const COUNT_MAX = 99;

/** Draws the unread count as a round PNG. Returns its data URL, or undefined if the browser has no 2D canvas. */
export function drawUnreadPicture(count: number): string | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  const text = count > COUNT_MAX ? `${COUNT_MAX}+` : String(count);
  context.fillStyle = '#c8322b';
  context.beginPath();
  context.arc(SIZE / 2, SIZE / 2, SIZE / 2, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = '#fff';
  context.font = `700 ${text.length > 2 ? 13 : 19}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, SIZE / 2, SIZE / 2 + 1);
  return canvas.toDataURL('image/png');
}
