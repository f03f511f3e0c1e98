import type { Dialog } from '@base-ui/react/dialog';
import { useRef, type ComponentProps, type RefObject } from 'react';

type BaseFinalFocus = ComponentProps<typeof Dialog.Popup>['finalFocus'];

/** What gets the focus when a popup closes. True, and a ref without an element, stand for what had it before. */
export type FinalFocus = Exclude<BaseFinalFocus, boolean | undefined>;

/**
 * Returns the attributes of a popup that sets the focus when it closes. It leaves the focus where the user has moved it
 * while the popup was fading out.
 */
export function useFinalFocus(wanted: FinalFocus | undefined): {
  ref: RefObject<HTMLDivElement | null>;
  finalFocus: BaseFinalFocus;
} {
  const ref = useRef<HTMLDivElement>(null);
  if (wanted === undefined) return { ref, finalFocus: undefined };
  return {
    ref,
    finalFocus: (closedBy) => {
      const { activeElement, body } = document;
      const isMoved = activeElement !== null && activeElement !== body;
      if (isMoved && ref.current?.contains(activeElement) === false) return false;
      return typeof wanted === 'function' ? wanted(closedBy) : (wanted.current ?? true);
    },
  };
}
