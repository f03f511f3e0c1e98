import { Menu, nativeImage, Tray } from 'electron';
import { trayMenu, trayTip, type TrayActions } from '../tray/tray-menu.ts';
import type { Texts } from '../texts/texts.ts';
import plain from '../tray/icons/tray.png?inline';
import plainLarge from '../tray/icons/tray@2x.png?inline';
import template from '../tray/icons/tray-template.png?inline';
import templateLarge from '../tray/icons/tray-template@2x.png?inline';
import unreadPlain from '../tray/icons/tray-unread.png?inline';
import unreadLarge from '../tray/icons/tray-unread@2x.png?inline';

/** The small picture beside the clock. */
export interface AppTray {
  update: (texts: Texts, unread: number, servers: readonly string[]) => void;
}

/** Puts the picture there. `undefined` where the system has no place for one. */
export function createTray(platform: NodeJS.Platform, actions: TrayActions): AppTray | undefined {
  const isMac = platform === 'darwin';
  const calm = isMac ? picture(template, templateLarge, true) : picture(plain, plainLarge, false);
  const unreadPicture = isMac ? calm : picture(unreadPlain, unreadLarge, false);
  let tray: Tray;
  try {
    tray = new Tray(calm);
  } catch {
    return undefined;
  }
  // On Windows a click opens the app; elsewhere the system shows the menu by itself.
  if (platform === 'win32') tray.on('click', actions.show);
  return {
    update: (texts, unread, servers) => {
      tray.setImage(unread > 0 ? unreadPicture : calm);
      tray.setToolTip(trayTip(texts, unread));
      if (isMac) tray.setTitle(unread > 0 ? String(unread) : '');
      tray.setContextMenu(Menu.buildFromTemplate(trayMenu(texts, unread, servers, actions)));
    },
  };
}

function picture(normal: string, large: string, isTemplate: boolean) {
  const image = nativeImage.createFromDataURL(normal);
  image.addRepresentation({ scaleFactor: 2, dataURL: large });
  image.setTemplateImage(isTemplate);
  return image;
}
