import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

interface OpenPicture {
  /** The content of the message whose picture is open. */
  picture: string | undefined;
  open: (picture: string) => void;
  /** Shows another picture in place of the one that is open. */
  change: (picture: string) => void;
  close: () => void;
}

/**
 * Which picture is open over the window. It is a step of the browser's history, as on a phone the
 * way out of a picture is the system's back button, which would leave the room otherwise.
 */
export function useOpenPicture(): OpenPicture {
  const navigate = useNavigate();
  const location = useLocation();
  const { pathname, search, state } = location;
  // Where the last step began. A second click or key before it is done must not go a step further.
  const left = useRef<object>(undefined);

  const move = (go: () => void): void => {
    if (left.current === location) return;
    left.current = location;
    go();
  };
  const show = (picture: string, replace: boolean): void =>
    move(() => void navigate({ pathname, search }, { state: { picture }, replace }));
  return {
    picture: pictureIn(state),
    open: (picture) => show(picture, false),
    change: (picture) => show(picture, true),
    close: () => move(() => void navigate(-1)),
  };
}

/**
 * Leaves a picture that was open when the window was loaded anew, or when its room was left. It may be
 * far up in the room by now, and would come over everything once it is scrolled into sight.
 */
export function useNoPictureAtFirst(): void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const leave = useEffectEvent(() => {
    if (pictureIn(state) !== undefined) void navigate(-1);
  });
  useEffect(() => leave(), []);
}

/** Which picture is open at a step of the history. */
function pictureIn(state: unknown): string | undefined {
  const isPicture = typeof state === 'object' && state !== null && 'picture' in state;
  return isPicture && typeof state.picture === 'string' ? state.picture : undefined;
}
