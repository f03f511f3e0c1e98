import { Menu as Base } from '@base-ui/react/menu';
import { useEffect, useRef, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './DropdownMenu.module.css';
import { ExposedFocusGuards } from './ExposedFocusGuards.tsx';
import type { MenuAnchor } from './menu-anchor.ts';
import { useCloseOnBack } from './use-close-on-back.ts';
import { useFinalFocus } from './use-final-focus.ts';
import type { MenuGesture } from './use-menu-gestures.ts';

interface ContextMenuProps {
  isOpen: boolean;
  onClose: () => void;
  anchor: MenuAnchor;
  /** The edge of the anchor that the menu is aligned with. */
  align: 'start' | 'end';
  gesture: MenuGesture;
  /** The button that opened it, if any. It closes the menu itself. */
  button?: HTMLElement | undefined;
  /** Accessible name. */
  label: string;
  /** Returns the element to focus when the menu closes, or false to leave the focus alone. */
  finalFocus: () => HTMLElement | false;
  /** `MenuItem`, `MenuLink` and `MenuSeparator`. */
  children: ReactNode;
}

/** A menu that `useMenuGestures` opens at a place of the page. One menu serves all items of a list. */
export function ContextMenu(props: ContextMenuProps) {
  const { isOpen, onClose, anchor, align, gesture, button, label, finalFocus, children } = props;
  useCloseOnBack(isOpen, onClose);
  const ending = useFinalFocus(finalFocus);
  const handleOpenChange = (open: boolean, details: Base.Root.ChangeEventDetails): void => {
    if (open) return;
    if (button && isAbout(details.event, button)) details.cancel();
    else onClose();
  };
  return (
    <Base.Root open={isOpen} onOpenChange={handleOpenChange} modal={false}>
      <Base.Portal>
        {/* A tap outside only closes the menu. */}
        {gesture === 'touch' && <Base.Backdrop className={css.backdrop} />}
        <Base.Positioner
          className={css.positioner}
          anchor={anchor}
          align={align}
          side="bottom"
          sideOffset={gesture === 'mouse' ? 0 : 6}
          collisionPadding={8}
        >
          <Base.Popup
            className={classNames('popup-transition', css.popup)}
            aria-label={label}
            {...ending}
            // Some systems send this event when the context menu key is released.
            onContextMenu={(event) => event.preventDefault()}
          >
            <ExposedFocusGuards />
            {gesture === 'keyboard' && <FirstItemFocus />}
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Returns whether an event is a press on an element, or a movement of the focus to it. */
function isAbout(event: Event, element: Element): boolean {
  const target = event instanceof FocusEvent ? event.relatedTarget : event.target;
  return target instanceof Node && element.contains(target);
}

/** Focuses the first item of the menu, as menus that a key opens do. */
function FirstItemFocus() {
  const marker = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // Base UI focuses the menu itself in the next frame, unless one of its items has the focus already.
    const first = marker.current?.parentElement?.querySelector<HTMLElement>('[role^="menuitem"]');
    first?.focus({ preventScroll: true });
  }, []);
  return <span ref={marker} hidden />;
}
