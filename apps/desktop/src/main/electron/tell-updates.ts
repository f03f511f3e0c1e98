import { app, dialog, net, shell } from 'electron';
import type { SettingsFile } from '../settings/settings-file.ts';
import type { Texts } from '../texts/texts.ts';
import { checkForUpdate, type UpdateResult } from '../updates/update-check.ts';

/** Asks for new versions and tells of them. */
export interface UpdateTeller {
  /** Somebody announces new versions. */
  isPossible: () => boolean;
  /** The person asks: there is an answer in any case. */
  checkNow: () => void;
  /** Asks now and then while the person wants that. */
  start: () => void;
}

/** Milliseconds. The first look waits until the app has started. */
const FIRST_MS = 60_000;
const EVERY_MS = 24 * 60 * 60 * 1000;

/** Asks nobody before `start` or `checkNow`. */
export function createUpdateTeller(settings: SettingsFile, texts: () => Texts): UpdateTeller {
  const feed = () => settings.get().updateFeed ?? __UPDATE_FEED__;
  const isPossible = () => feed() !== '';
  let told: string | undefined;

  const check = (): Promise<UpdateResult> =>
    checkForUpdate({
      feed: feed(),
      platform: process.platform,
      currentVersion: app.getVersion(),
      fetch: (url, init) => net.fetch(url, init),
    });

  async function checkByItself(): Promise<void> {
    if (!isPossible() || !settings.get().preferences.updates) return;
    const result = await check();
    if (result.kind !== 'newer' || result.version === told) return;
    told = result.version;
    await tell(result, texts());
  }

  return {
    isPossible,
    checkNow: () => void check().then((result) => tell(result, texts())),
    start: () => {
      setTimeout(() => {
        void checkByItself();
        setInterval(() => void checkByItself(), EVERY_MS);
      }, FIRST_MS);
    },
  };
}

async function tell(result: UpdateResult, texts: Texts): Promise<void> {
  if (result.kind !== 'newer') {
    const message = result.kind === 'newest' ? texts.updateNone : texts.updateFailed;
    await dialog.showMessageBox({ type: 'info', title: texts.updateTitle, message });
    return;
  }
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: texts.updateTitle,
    message: texts.updateFound(result.version),
    detail: texts.updateDetail,
    buttons: [texts.updateOpen, texts.updateLater],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) await shell.openExternal(result.page);
}
