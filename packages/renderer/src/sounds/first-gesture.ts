const GESTURES = ['pointerdown', 'touchend', 'keydown'] as const;

let happened = false;

/**
 * Notes the first click, touch or key. From the start of the page: the login's click counts, too.
 * @param isNeeded false where sounds may play without any
 */
export function watchFirstGesture(isNeeded: boolean): void {
  happened = !isNeeded;
  const listening = new AbortController();
  const { signal } = listening;
  const note = (): void => {
    happened = true;
    listening.abort();
  };
  for (const gesture of GESTURES) window.addEventListener(gesture, note, { signal, capture: true });
}

/** Whether this page was clicked, touched or typed in: before that it may not sound. */
export function hadGesture(): boolean {
  return happened;
}
