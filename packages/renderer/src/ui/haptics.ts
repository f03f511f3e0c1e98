/** Duration in milliseconds. */
const TAP = 10;

/** Vibrates shortly where the device can. Browsers log an error for vibrations before the first tap. */
export function vibrate(): void {
  const { userActivation }: Partial<Pick<Navigator, 'userActivation'>> = navigator;
  if (userActivation && !userActivation.hasBeenActive) return;
  navigator.vibrate?.(TAP);
}
