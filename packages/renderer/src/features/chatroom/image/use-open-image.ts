import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { openImageOf, withState } from '../../../navigation/entry-state.ts';
import { screenPath } from '../../../navigation/paths.ts';

interface OpenImage {
  /** The content of the message with the open image. */
  image: string | undefined;
  open: (image: string) => void;
  /** Replaces the open image with another one. */
  change: (image: string) => void;
  close: () => void;
}

/**
 * Returns the image that is open in the lightbox, and functions to open, change and close it. An open image is
 * an entry in the browser's history, so that the system's back button closes it instead of leaving the chatroom.
 */
export function useOpenImage(): OpenImage {
  const navigate = useNavigate();
  const location = useLocation();
  const { pathname, search, state } = location;
  // The location before the last navigation. Further clicks and keys are ignored until that navigation is done.
  const previousLocation = useRef<object>(undefined);

  const navigateOnce = (go: () => void): void => {
    if (previousLocation.current === location) return;
    previousLocation.current = location;
    go();
  };
  const show = (image: string, replace: boolean): void =>
    navigateOnce(() => {
      // What the back gesture closes stays open behind the image. The link to a message stays in the entry below.
      const to = { pathname: screenPath(pathname), search };
      void navigate(to, { state: withState(state, { image }), replace });
    });
  return {
    image: openImageOf(state),
    open: (image) => show(image, false),
    change: (image) => show(image, true),
    close: () => navigateOnce(() => void navigate(-1)),
  };
}

/**
 * Closes an image that was open when the user reloaded the page or left the room. Its message may not be loaded
 * yet, and the image would otherwise open unexpectedly later.
 */
export function useCloseImageOnMount(): void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const leave = useEffectEvent(() => {
    if (openImageOf(state) !== undefined) void navigate(-1);
  });
  useEffect(() => leave(), []);
}
