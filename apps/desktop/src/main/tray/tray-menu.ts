import type { MenuItemConstructorOptions } from 'electron';
import type { Texts } from '../../texts/texts.ts';

/** What the items of the menu do. */
export interface TrayActions {
  show: () => void;
  openServer: (origin: string) => void;
  manageServers: () => void;
  quit: () => void;
}

/** What the tray's menu says, with the servers where there are several. */
export function trayMenu(
  texts: Texts,
  unread: number,
  servers: readonly string[],
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const choices = servers.map((origin): MenuItemConstructorOptions => ({
    label: new URL(origin).host,
    click: () => actions.openServer(origin),
  }));
  return [
    ...(unread > 0 ? [{ label: texts.unread(unread), enabled: false }] : []),
    { label: texts.show, click: actions.show },
    ...(choices.length > 1 ? choices : []),
    { label: texts.manageServers, click: actions.manageServers },
    { type: 'separator' },
    { label: texts.quit, click: actions.quit },
  ];
}

/** What the tray says when it is pointed at. */
export function trayTip(texts: Texts, unread: number): string {
  return unread > 0 ? `${texts.app}: ${texts.unread(unread)}` : texts.app;
}
