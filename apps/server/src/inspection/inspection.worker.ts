import { parentPort, workerData } from 'node:worker_threads';
import { inspectFile, type InspectionTask } from './file-inspection.ts';
import { startRenderer } from './formats/svg/render-svg.ts';
import type { SvgRenderer } from './formats/svg/svg-renderer.ts';

// Inspects one file after another for the server, which ends this thread if that takes too long.
const port = parentPort;
port?.on('message', (task: InspectionTask) => {
  void inspectFile(task).then((outcome) => port.postMessage(outcome));
});
void start(workerData as { renderer?: SvgRenderer });

async function start({ renderer }: { renderer?: SvgRenderer }): Promise<void> {
  if (renderer !== undefined) await startRenderer(renderer);
  port?.postMessage('ready');
}
