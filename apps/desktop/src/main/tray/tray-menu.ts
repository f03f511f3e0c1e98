import type { MenuItemConstructorOptions } from 'electron';
import type { Texts } from '../../texts/desktop-texts.ts';

/** The actions of the menu. */
export interface TrayActions {
  show: () => void;
  openServer: (origin: string) => void;
  manageServers: () => void;
  quit: () => void;
}

/** Returns the tray's menu. It lists the servers if there are several. */
export function createTrayMenu(
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

/** Returns the tray's tooltip. */
export function getTrayTooltip(texts: Texts, unread: number): string {
  return unread > 0 ? `${texts.app}: ${texts.unread(unread)}` : texts.app;
}
