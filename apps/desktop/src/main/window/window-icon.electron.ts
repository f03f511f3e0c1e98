import { nativeImage, type BrowserWindowConstructorOptions } from 'electron';
import icon from '../../../build/icons/256x256.png?inline';

/**
 * Returns the option for a window's icon on Linux, where only desktops that find the app's desktop entry have
 * another one: not those that run an AppImage or the sources. Elsewhere, the program contains the icon.
 */
export function windowIcon(platform: NodeJS.Platform): BrowserWindowConstructorOptions {
  return platform === 'linux' ? { icon: nativeImage.createFromDataURL(icon) } : {};
}
