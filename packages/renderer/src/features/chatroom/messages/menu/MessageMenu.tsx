import { Fragment, type ComponentProps, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ContextMenu } from '../../../../ui/ContextMenu.tsx';
import { MenuItem, MenuLink, MenuSeparator } from '../../../../ui/DropdownMenu.tsx';
import { useMediaUrl } from '../../../../format/use-media-url.ts';
import type { MessageMenuEntry } from './message-menu-entries.ts';

interface MessageMenuProps extends Omit<ComponentProps<typeof ContextMenu>, 'label' | 'children'> {
  entries: readonly MessageMenuEntry[];
  onSelect: (entry: MessageMenuEntry) => void;
  /** The reactions above the entries, if the user can react. */
  reactions: ReactNode;
}

/** The menu of a message. */
export function MessageMenu({ entries, onSelect, reactions, ...rest }: MessageMenuProps) {
  const { t } = useTranslation();
  return (
    <ContextMenu {...rest} label={t('message.menu')}>
      {reactions}
      {entries.map((entry, index) => {
        const previous = entries[index - 1];
        return (
          <Fragment key={entry.text}>
            {previous && previous.group !== entry.group && <MenuSeparator />}
            <MessageMenuItem entry={entry} onSelect={() => onSelect(entry)} />
          </Fragment>
        );
      })}
    </ContextMenu>
  );
}

interface MessageMenuItemProps {
  entry: MessageMenuEntry;
  onSelect: () => void;
}

function MessageMenuItem({ entry, onSelect }: MessageMenuItemProps) {
  const { t } = useTranslation();
  const { text, icon: Icon, download } = entry;
  const icon = <Icon />;
  if (download !== undefined) {
    return (
      <MenuDownload content={download} icon={icon}>
        {t(text)}
      </MenuDownload>
    );
  }
  return (
    <MenuItem icon={icon} onClick={onSelect}>
      {t(text)}
    </MenuItem>
  );
}

/** A link in a menu that saves an upload. */
function MenuDownload({ content, ...rest }: ComponentProps<typeof MenuLink> & { content: string }) {
  const src = useMediaUrl(content);
  return <MenuLink {...rest} href={src} download={new URL(src).pathname.split('/').at(-1)} />;
}
