import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

interface OpenImage {
  /** The content of the message whose picture is open. */
  image: string | undefined;
  open: (image: string) => void;
  /** Shows another picture in place of the one that is open. */
  change: (image: string) => void;
  close: () => void;
}

/**
 * Which picture is open over the window. It is a step of the browser's history, as on a phone the
 * way out of a picture is the system's back button, which would leave the room otherwise.
 */
export function useOpenImage(): OpenImage {
  const navigate = useNavigate();
  const location = useLocation();
  const { pathname, search, state } = location;
  // Where the last step began. A second click or key before it is done must not go a step further.
  const previousLocation = useRef<object>(undefined);

  const navigateOnce = (go: () => void): void => {
    if (previousLocation.current === location) return;
    previousLocation.current = location;
    go();
  };
  const show = (image: string, replace: boolean): void =>
    navigateOnce(() => void navigate({ pathname, search }, { state: { image }, replace }));
  return {
    image: imageIn(state),
    open: (image) => show(image, false),
    change: (image) => show(image, true),
    close: () => navigateOnce(() => void navigate(-1)),
  };
}

/**
 * Leaves a picture that was open when the window was loaded anew, or when its room was left. It may be
 * far up in the room by now, and would come over everything once it is scrolled into sight.
 */
export function useCloseImageOnMount(): void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const leave = useEffectEvent(() => {
    if (imageIn(state) !== undefined) void navigate(-1);
  });
  useEffect(() => leave(), []);
}

/** Which picture is open at a step of the history. */
function imageIn(state: unknown): string | undefined {
  const isImage = typeof state === 'object' && state !== null && 'image' in state;
  return isImage && typeof state.image === 'string' ? state.image : undefined;
}
