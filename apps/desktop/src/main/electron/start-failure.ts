import { fill, matchLanguage } from '@parley/texts';
import { app, dialog } from 'electron';
import { log } from '../log/log.ts';
import { getTexts } from '../../texts/desktop-texts.ts';

/** Shows the user why the app could not start, then exits with code 1. */
export function reportStartFailure(error: unknown): void {
  log.error('start-failed', error);
  const texts = getTexts(matchLanguage(app.getLocale()));
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${texts.startFailed}\n${error instanceof Error ? error.stack : reason}\n`);
  dialog.showErrorBox(texts.startFailed, fill(texts.startFailedDetail, { reason }));
  app.exit(1);
}
