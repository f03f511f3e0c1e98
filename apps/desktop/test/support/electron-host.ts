import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

// Plays the Electron program in a process of its own: node electron-host.ts <entry> <user data folder>.
// Prints what the app did as one line of JSON when it ends.

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

/** Ends with the app, or once it has shown its first window. */
function endSoon(): void {
  if (recorded.exitCode !== undefined) process.exit(recorded.exitCode);
  if (recorded.windows.some(({ isShown }) => isShown)) process.exit(0);
  setTimeout(endSoon, 10);
}

// While the entry module is being evaluated nothing here keeps the process alive: Node ends it with
// code 13 if the module waits for something that can never come.
await startElectron(() => import(pathToFileURL(entry).href));
endSoon();
