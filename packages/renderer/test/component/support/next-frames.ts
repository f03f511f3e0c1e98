/** Resolves after a number of frames, in which a list measures its rows. */
export async function nextFrames(count = 10): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) {
    await new Promise((resolve) => void requestAnimationFrame(resolve));
  }
}
