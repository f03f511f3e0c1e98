import type { Language } from '@parley/texts';
import type { Texts } from '../texts/desktop-texts.ts';
import { findServerOfLink, type DeepLink } from './links/deep-link.ts';
import type { ServerChatroom } from './notifications/notification-id.ts';
import { findActiveServer } from './settings/server-list.ts';
import type { SettingsFile } from './settings/settings-file.ts';
import type { AppWindows } from './window/app-windows.electron.ts';
import { showServerPicker } from './picker/server-picker.electron.ts';
import type { PickerWindow } from './picker/picker-window.electron.ts';

/** Opens servers, chatrooms and the server picker for menus, links and notifications. */
export interface AppNavigation {
  /** Makes a server the active one without opening it. */
  activate: (origin: string) => void;
  openServer: (origin: string) => void;
  openChatroom: (room: ServerChatroom, seq?: number) => void;
  /** Opens the chatroom or message of a link, or the active server if the link's server is unknown. */
  openLink: (link: DeepLink) => void;
  /** Opens the active server, or the server picker if no server is known. */
  showActive: () => void;
  /** Opens the server picker. */
  manageServers: () => void;
  /** Opens the server picker, which immediately checks this address. */
  checkServer: (address: string) => void;
}

interface AppNavigationDeps {
  settings: SettingsFile;
  windows: AppWindows;
  pickerWindow: PickerWindow;
  language: () => Language;
  texts: () => Texts;
  /** Returns the origins of the known servers. */
  servers: () => string[];
  /** Origins of the servers that were known when the app started. */
  atStart: readonly string[];
  /** Called when the active server or the list of servers has changed. */
  onChange: () => void;
}

/** Creates the navigation without opening anything. */
export function createAppNavigation(deps: AppNavigationDeps): AppNavigation {
  const { settings, windows, pickerWindow, language, texts, servers, atStart, onChange } = deps;

  function activate(origin: string): void {
    if (settings.get().active === origin) return;
    settings.change((all) => ({ ...all, active: origin }));
    onChange();
  }

  function openServer(origin: string): void {
    activate(origin);
    windows.show(origin);
  }

  function openPicker(address?: string): void {
    showServerPicker({
      settings,
      window: pickerWindow,
      texts,
      start: () => {
        const active = findActiveServer(settings.get())?.origin;
        return {
          language: language(),
          servers: servers(),
          ...(active !== undefined && { active }),
          ...(address !== undefined && { address }),
        };
      },
      atStart,
      onChosen: openServer,
      onClosed: windows.quitIfNoneVisible,
      onAdded: (origin) => {
        onChange();
        windows.reopen(origin).show();
      },
      onRemoved: async (origin) => {
        await windows.remove(origin);
        onChange();
      },
    });
  }

  function showActive(): void {
    const active = findActiveServer(settings.get());
    if (active === undefined) openPicker();
    else openServer(active.origin);
  }

  function openChatroom({ server, chatroomId }: ServerChatroom, seq?: number): void {
    activate(server);
    const { events } = windows.show(server);
    events.send({
      type: 'open-chat',
      chatroom: chatroomId,
      ...(seq !== undefined && { seq }),
    });
  }

  return {
    activate,
    openServer,
    openChatroom,
    openLink: (link) => {
      const origin = findServerOfLink(link, servers(), findActiveServer(settings.get())?.origin);
      if (origin === undefined) showActive();
      else openChatroom({ server: origin, chatroomId: link.chatroom }, link.seq);
    },
    showActive,
    manageServers: () => openPicker(),
    checkServer: openPicker,
  };
}
