import { fill, matchLanguage } from '@parley/texts';
import { app, dialog, protocol } from 'electron';
import { getTexts } from '../texts/desktop-texts.ts';
import { collectLinks } from './links/app-links.electron.ts';
import { setIdentity } from './app-identity.electron.ts';
import { paths } from './app-paths.electron.ts';
import { runApp } from './run-app.electron.ts';
import { log, logUnhandledErrors, writeLogTo } from './log/log.ts';
import { getStartSwitches } from './security/switches.ts';
import { openSettings } from './settings/settings-file.ts';
import { PICKER_SCHEME } from './picker/picker-handler.ts';

/** Does everything that must happen before `ready`. Resolves to the settings and links. */
async function prepare() {
  writeLogTo(paths.log());
  logUnhandledErrors();
  const { platform, arch, versions } = process;
  log.info('start', { version: app.getVersion(), platform, arch, electron: versions['electron'] });
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    {
      scheme: PICKER_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, corsEnabled: true },
    },
  ]);
  const links = collectLinks(process.argv);
  const settings = await openSettings(paths.settings());
  const origins = settings.get().servers.map(({ origin }) => origin);
  for (const [name, value] of getStartSwitches(origins)) {
    app.commandLine.appendSwitch(name, value);
  }
  return { settings, links };
}

async function start(preparing: ReturnType<typeof prepare>): Promise<void> {
  await app.whenReady();
  const { settings, links } = await preparing;
  await runApp(settings, links);
}

/** Shows the user why the app could not start, then exits with code 1. */
function reportStartFailure(error: unknown): void {
  log.error('start-failed', error);
  const texts = getTexts(matchLanguage(app.getLocale()));
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${texts.startFailed}\n${error instanceof Error ? error.stack : reason}\n`);
  dialog.showErrorBox(texts.startFailed, fill(texts.startFailedDetail, { reason }));
  app.exit(1);
}

setIdentity(process.platform);
if (app.requestSingleInstanceLock()) {
  const preparing = prepare();
  // Electron emits `ready` only after this module has been evaluated, so this module must not await it.
  start(preparing).catch(reportStartFailure);
  // The switches must be set before `ready`. A failure is reported by `start`, once a dialog can be shown.
  await preparing.catch(() => undefined);
} else {
  app.exit(0);
}
