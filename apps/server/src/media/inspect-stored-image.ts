import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { TooComplexMediaError } from '../inspection/formats/byte-source.ts';
import { isSuccessor } from '../inspection/inspect.ts';
import type { InspectedFile, InspectionTask } from '../inspection/file-inspection.ts';
import type { JobOwner } from '../scheduling/fair-queue.ts';
import type { CopyableMedia } from './media.repository.ts';

/**
 * Inspects an image that was stored under older rules, and writes what the current ones accept. Returns
 * undefined if they reject it.
 * @throws {AppError} `media_not_found` if the file is missing, or an error of the inspector.
 */
export async function inspectStoredImage(
  { media, inspector }: Pick<Context, 'media' | 'inspector'>,
  owner: JobOwner,
  { file, mime }: Pick<CopyableMedia, 'file' | 'mime'>,
  output: Pick<InspectionTask, 'target' | 'skipsUnchanged'>,
): Promise<InspectedFile | undefined> {
  const handle = await media.open(file);
  if (handle === undefined) throw new AppError('media_not_found');
  try {
    const found = await inspector.inspect(owner, { fd: handle.fd, rules: 'stored', ...output });
    return found !== undefined && isSuccessor(found.type, mime) ? found : undefined;
  } catch (error) {
    if (error instanceof TooComplexMediaError) return undefined;
    throw error;
  } finally {
    await handle.close();
  }
}
