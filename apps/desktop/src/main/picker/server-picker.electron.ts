import { fill } from '@parley/texts';
import { dialog } from 'electron';
import { PICKER_CHANNELS, type PickerStart } from '../../ipc/picker-bridge.ts';
import type { PageListener } from '../ipc/listen.ts';
import { needsRestart } from '../security/switches.ts';
import { withoutServer, withServer } from '../settings/server-list.ts';
import type { SavedServer } from '../settings/settings.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import type { Texts } from '../../texts/desktop-texts.ts';
import { lookUpServer } from '../servers/look-up-server.electron.ts';
import { relaunch } from '../quit/relaunch.electron.ts';
import type { PickerWindow } from './picker-window.electron.ts';

interface ServerPickerDeps {
  settings: SettingsFile;
  window: PickerWindow;
  texts: () => Texts;
  start: () => PickerStart;
  /** Origins of the servers that were known when the app started. */
  atStart: readonly string[];
  /** Called when a server was added or its certificate has changed. */
  onAdded: (origin: string) => void;
  onChosen: (origin: string) => void;
  onClosed: () => void;
  /** Called when a server was removed, to erase its data. */
  onRemoved: (origin: string) => Promise<void>;
}

/** Opens the window in which the user adds, opens and removes servers. */
export function showServerPicker(deps: ServerPickerDeps): void {
  const { window, start, onClosed } = deps;
  window.open({ start, registerHandlers: (page) => registerHandlers(page, deps), onClosed });
}

function registerHandlers(page: PageListener, deps: ServerPickerDeps): void {
  const { settings, window } = deps;
  // Only a server that a check has found can be added, and only with the certificate of that check.
  const found = new Map<string, Pick<SavedServer, 'origin' | 'pinned' | 'mediaOrigins'>>();

  page.handle(PICKER_CHANNELS.check, 'check', async (address, pinned) => {
    const { result, mediaOrigins } = await lookUpServer(address, pinned);
    if (result.kind === 'found' || result.kind === 'found-plain') {
      const { origin } = result;
      found.set(origin, { origin, mediaOrigins, ...(pinned !== undefined && { pinned }) });
    }
    return result;
  });
  page.handle(PICKER_CHANNELS.add, 'add', ({ origin, pinned }) => {
    const server = found.get(origin);
    if (server === undefined || server.pinned !== pinned) return false;
    settings.change((all) => withServer(all, server));
    // Opens the server's window before this one closes, as an app without any window quits.
    deps.onAdded(origin);
    window.close();
    if (needsRestart(origin, deps.atStart)) void offerRestart(origin, deps.texts());
    return true;
  });
  page.on(PICKER_CHANNELS.open, 'origin', (origin) => {
    if (!settings.get().servers.some((server) => server.origin === origin)) return;
    deps.onChosen(origin);
    window.close();
  });
  page.handle(PICKER_CHANNELS.remove, 'origin', async (origin) => {
    settings.change((all) => withoutServer(all, origin));
    await deps.onRemoved(origin);
    return settings.get().servers.map((server) => server.origin);
  });
}

async function offerRestart(origin: string, texts: Texts): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: texts.restartTitle,
    message: texts.restartTitle,
    detail: fill(texts.restartDetail, { origin }),
    buttons: [texts.restartNow, texts.later],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) relaunch();
}
