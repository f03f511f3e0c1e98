import { expect, test } from 'vitest';
import { newId } from '../storage/ids.ts';
import { exportFileOf, isExportFile, isMediaFile, isStoredFile } from './media-file-name.ts';

test('gives exports names that servers without exports do not delete as leftover uploads', () => {
  // What these servers compare names with.
  const swept = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{3,4}$/;
  const file = exportFileOf(newId());
  for (const name of [file, `${file}.0000`]) {
    expect(name).not.toMatch(swept);
    expect(isMediaFile(name)).toBe(false);
  }
  expect([isExportFile(file), isStoredFile(file)]).toEqual([true, true]);
  expect([isExportFile(`${newId()}.zip`), isExportFile(`../${file}`)]).toEqual([false, false]);
});
