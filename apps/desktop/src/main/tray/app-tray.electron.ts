import { Menu, nativeImage, Tray } from 'electron';
import type { Texts } from '../../texts/desktop-texts.ts';
import { hasTrayHost } from './tray-host.ts';
import { createTrayMenu, getTrayTooltip, type TrayActions } from './tray-menu.ts';
import plain from './icons/tray.png?inline';
import plainLarge from './icons/tray@2x.png?inline';
import template from './icons/tray-template.png?inline';
import templateLarge from './icons/tray-template@2x.png?inline';
import unreadPlain from './icons/tray-unread.png?inline';
import unreadLarge from './icons/tray-unread@2x.png?inline';

/** The app's icon in the notification area or menu bar. */
export interface AppTray {
  /** Returns whether the user can show a hidden window from the tray, according to the last check. */
  isUsable: () => boolean;
  /** Checks again whether the tray is usable, as a Linux panel may start or stop. Resolves to the result. */
  check: () => Promise<boolean>;
  /** Shows a new state. Has no effect before the icon appears. */
  update: (state: TrayState) => void;
}

/** The content of the icon and its menu. */
export interface TrayState {
  texts: Texts;
  /** Number of unread messages. */
  unread: number;
  /** Origins of the known servers. */
  servers: readonly string[];
}

/** Creates the tray. Its icon appears once `check` finds the tray usable, as Linux needs a panel for it. */
export function createTray(
  platform: NodeJS.Platform,
  actions: TrayActions,
  getState: () => TrayState,
): AppTray {
  const isMac = platform === 'darwin';
  const normalImage = isMac
    ? createImage(template, templateLarge, true)
    : createImage(plain, plainLarge, false);
  const unreadImage = isMac ? normalImage : createImage(unreadPlain, unreadLarge, false);
  let tray: Tray | undefined;
  let isUsable = false;

  function update({ texts, unread, servers }: TrayState): void {
    if (tray === undefined) return;
    tray.setImage(unread > 0 ? unreadImage : normalImage);
    tray.setToolTip(getTrayTooltip(texts, unread));
    if (isMac) tray.setTitle(unread > 0 ? String(unread) : '');
    tray.setContextMenu(Menu.buildFromTemplate(createTrayMenu(texts, unread, servers, actions)));
  }

  function createIcon(): void {
    tray = new Tray(normalImage);
    // On macOS a click shows the menu; elsewhere it opens the app, and a right click shows the menu.
    if (!isMac) tray.on('click', actions.show);
    update(getState());
  }

  return {
    isUsable: () => isUsable,
    check: async () => {
      isUsable = platform === 'linux' ? await hasTrayHost() : true;
      if (isUsable && tray === undefined) createIcon();
      return isUsable;
    },
    update,
  };
}

function createImage(normal: string, large: string, isTemplate: boolean) {
  const image = nativeImage.createFromDataURL(normal);
  image.addRepresentation({ scaleFactor: 2, dataURL: large });
  image.setTemplateImage(isTemplate);
  return image;
}
