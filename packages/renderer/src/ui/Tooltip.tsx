import { Tooltip as Base } from '@base-ui/react/tooltip';
import { useRef, type ReactElement } from 'react';
import { classNames } from './class-names.ts';
import css from './Tooltip.module.css';

interface TooltipProps {
  text: string;
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** The described control. It must have its own accessible name. */
  children: ReactElement<Record<string, unknown>>;
}

/** A tooltip that appears on hover and keyboard focus. */
export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  const actions = useRef<Base.Root.Actions>(null);
  const handleOpenChange = (_isOpen: boolean, details: Base.Root.ChangeEventDetails): void => {
    if (details.reason !== 'escape-key') return;
    // Closes without using the key up, which also closes the dialog or the chat with the button.
    details.allowPropagation();
    details.cancel();
    actions.current?.close();
  };
  return (
    <Base.Root actionsRef={actions} onOpenChange={handleOpenChange}>
      <Base.Trigger render={children} delay={450} />
      <Base.Portal>
        <Base.Positioner className={css.positioner} side={side} sideOffset={6} collisionPadding={8}>
          <Base.Popup className={classNames('popup-transition', css.popup)} aria-hidden="true">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
