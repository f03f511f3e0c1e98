import { createContext, useContext, useEffect, useEffectEvent } from 'react';

/** What is open above the screens, such as menus and dialogs, or in them, such as a search. */
export interface BackLayers {
  /**
   * Adds a layer that the system's back gesture closes. Returns a function that removes it once it is closed.
   * @param isInline whether it stays open as long as its screen, even if a notification opens that screen again
   */
  open: (close: () => void, isInline: boolean) => () => void;
}

/** Provided by the router. Without it, nothing closes on the back gesture. */
export const BackLayersContext = createContext<BackLayers | undefined>(undefined);

interface CloseOnBackOptions {
  /** Whether a tap on a notification of its screen leaves it open, as if it were a part of the screen. */
  isInline?: boolean;
}

/**
 * Makes the back gesture of phones and tablets call `onClose` instead of leaving the screen, while `isOpen`. So does a
 * tap on a notification on all devices, as it shows a screen.
 */
export function useCloseOnBack(
  isOpen: boolean,
  onClose: () => void,
  { isInline = false }: CloseOnBackOptions = {},
): void {
  const layers = useContext(BackLayersContext);
  const close = useEffectEvent(onClose);
  useEffect(
    () => (isOpen ? layers?.open(() => close(), isInline) : undefined),
    [isOpen, isInline, layers],
  );
}
