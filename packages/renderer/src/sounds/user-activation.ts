const GESTURES = ['pointerdown', 'touchend', 'keydown'] as const;

let isActivated = false;

/**
 * Notes the first click, touch or key. From the start of the page: the login's click counts, too.
 * @param isNeeded false where sounds may play without any
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

/** Whether this page was clicked, touched or typed in: before that it may not sound. */
export function hasUserActivation(): boolean {
  return isActivated;
}
