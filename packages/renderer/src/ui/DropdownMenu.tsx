import { Menu as Base } from '@base-ui/react/menu';
import { useState, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { ExposedFocusGuards } from './ExposedFocusGuards.tsx';
import css from './DropdownMenu.module.css';
import { useCloseOnBack } from './use-close-on-back.ts';

interface DropdownMenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  children: ReactNode;
}

/** A menu of `MenuItem`, `MenuLink` and `MenuSeparator` that a button opens. */
export function DropdownMenu({ trigger, children }: DropdownMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  useCloseOnBack(isOpen, () => setIsOpen(false));
  return (
    <Base.Root open={isOpen} onOpenChange={setIsOpen} modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner
          className={css.positioner}
          align="end"
          side="bottom"
          sideOffset={6}
          collisionPadding={8}
        >
          <Base.Popup className={classNames('popup-transition', css.popup)}>
            <ExposedFocusGuards />
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps extends Omit<ComponentProps<typeof Base.Item>, 'className'> {
  icon?: ReactNode;
  /** Whether the action cannot be undone. */
  danger?: boolean;
}

/** An action in a menu. */
export function MenuItem({ icon, danger = false, children, ...rest }: MenuItemProps) {
  return (
    <Base.Item {...rest} className={classNames(css.item, danger && css.danger)}>
      {icon}
      <span className={css.words}>{children}</span>
    </Base.Item>
  );
}

interface MenuLinkProps extends Omit<ComponentProps<typeof Base.LinkItem>, 'className'> {
  icon?: ReactNode;
  /** Content at the end of the line. */
  trailing?: ReactNode;
}

/** A link in a menu. Pass the router's link as `render`. */
export function MenuLink({ icon, trailing, children, ...rest }: MenuLinkProps) {
  return (
    <Base.LinkItem {...rest} className={css.item} closeOnClick>
      {icon}
      <span className={css.words}>{children}</span>
      {trailing}
    </Base.LinkItem>
  );
}

/** A line between groups of actions. */
export function MenuSeparator() {
  return <Base.Separator className={css.separator} />;
}
