import type { LoadedChatroom } from '@parley/client';
import { CalendarDays, Images, Search } from 'lucide-react';
import { useRef, type ReactNode, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { galleryPath } from '../../../navigation/paths.ts';
import { dayOf } from '../../../shared/calendar/days.ts';
import { MenuItem, MenuLink } from '../../../ui/DropdownMenu.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useCloseOnBack } from '../../../ui/use-close-on-back.ts';
import type { ChatroomJumps } from '../jumps/use-chatroom-jumps.ts';
import type { ChatroomHighlights } from './chatroom-highlights.ts';
import { ChatroomSearchBar } from './ChatroomSearchBar.tsx';
import { useDayJump } from './use-day-jump.tsx';
import { useChatroomHighlights, useChatroomSearch } from './use-chatroom-search.ts';
import { useSearchKeys } from './use-search-keys.ts';

interface ChatroomToolsOptions {
  room: LoadedChatroom;
  jumps: ChatroomJumps;
  /** Contains the chatroom. */
  section: RefObject<HTMLElement | null>;
}

/** The ways to find something in a chatroom, for its header and above its messages. */
export interface ChatroomTools {
  /** What the messages highlight. */
  highlights: ChatroomHighlights;
  /** The button that opens the search. */
  button: ReactNode;
  menuItems: ReactNode;
  /** The search bar, if the search is open. */
  bar: ReactNode;
  dialog: ReactNode;
  /** Opens the calendar on the day of a message, to jump to another one. */
  chooseDay: (time: string) => void;
}

/** Returns the ways to find something in a chatroom: the search, the calendar and the media. */
export function useChatroomTools({ room, jumps, section }: ChatroomToolsOptions): ChatroomTools {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  // The element that had the focus before the search was opened.
  const before = useRef<Element>(null);
  const search = useChatroomSearch(room, jumps);
  const days = useDayJump(room, jumps);

  const open = (): void => {
    const field = section.current?.querySelector<HTMLInputElement>('[data-room-search]');
    if (field) {
      field.focus();
      field.select();
      return;
    }
    const { activeElement } = document;
    before.current = section.current?.contains(activeElement) ? activeElement : button.current;
    search.open();
  };
  const close = (): void => {
    const found = section.current?.querySelector('[data-found] article');
    const targets = [found, before.current, button.current];
    // In a short window, the header with the button is hidden until then.
    flushSync(search.close);
    const target = targets.find((element) => element?.isConnected);
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
  useCloseOnBack(search.isOpen, close, { isInline: true });
  useSearchKeys(search.isOpen, (key) => {
    const actions = { open, close, older: search.goOlder, newer: search.goNewer };
    actions[key]?.();
  });

  return {
    highlights: useChatroomHighlights(search),
    button: (
      <IconButton
        ref={button}
        label={t('roomSearch.title')}
        side="bottom"
        icon={<Search />}
        aria-expanded={search.isOpen}
        onClick={search.isOpen ? close : open}
      />
    ),
    menuItems: (
      <>
        <MenuItem icon={<Search />} onClick={open}>
          {t('roomSearch.title')}
        </MenuItem>
        <MenuItem icon={<CalendarDays />} onClick={() => days.open(button)}>
          {t('calendar.open')}
        </MenuItem>
        {room.status !== 'request' && (
          <MenuLink icon={<Images />} render={<Link to={galleryPath(room.id)} />}>
            {t('gallery.title')}
          </MenuLink>
        )}
      </>
    ),
    bar: search.isOpen && (
      <ChatroomSearchBar search={search} onOpenCalendar={days.open} onClose={close} />
    ),
    dialog: days.dialog,
    chooseDay: (time) => days.open(undefined, dayOf(new Date(time))),
  };
}
