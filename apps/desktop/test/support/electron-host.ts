import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

// Runs the app with a fake Electron in its own process: node electron-host.ts <entry> <user data folder>.
// When it exits, it prints what the app did as one line of JSON.

const [, , entry = '', userData = ''] = process.argv;
const fake = new URL('fake-electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: fake, shortCircuit: true } : next(specifier, context),
});

const { recorded, startElectron } = await import('./fake-electron.ts');
recorded.userData = userData;

process.on('exit', () => {
  const windows = recorded.windows.map(({ webContents, isShown }) => ({
    url: webContents.mainFrame.url,
    isShown,
  }));
  process.stdout.write(`${JSON.stringify({ windows, errorBoxes: recorded.errorBoxes })}\n`);
});

/** Exits with the app, or once the app has shown its first window. */
function exitSoon(): void {
  if (recorded.exitCode !== undefined) process.exit(recorded.exitCode);
  if (recorded.windows.some(({ isShown }) => isShown)) process.exit(0);
  setTimeout(exitSoon, 10);
}

// Nothing here keeps the process alive while the entry module is evaluated, so Node exits with code 13 if the
// module awaits something that never settles.
await startElectron(() => import(pathToFileURL(entry).href));
exitSoon();
