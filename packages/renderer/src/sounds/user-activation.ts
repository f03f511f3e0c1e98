/** The first key press of an input method shows only as `compositionstart`. */
const GESTURES = ['pointerdown', 'touchend', 'keydown', 'compositionstart'] as const;

let isActivated = false;

/**
 * Watches for the first click, touch or key press. Called at the start of the page, so that the click on the
 * login button counts.
 * @param isNeeded false if sounds may play without a gesture
 */
export function watchUserActivation(isNeeded: boolean): void {
  isActivated = !isNeeded;
  const listening = new AbortController();
  const { signal } = listening;
  const handleGesture = (): void => {
    isActivated = true;
    listening.abort();
  };
  for (const gesture of GESTURES)
    window.addEventListener(gesture, handleGesture, { signal, capture: true });
}

/** Returns whether the user has interacted with this page. Before that, browsers block sounds. */
export function hasUserActivation(): boolean {
  return isActivated;
}
