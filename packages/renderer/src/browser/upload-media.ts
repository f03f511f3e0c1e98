import {
  ApiError,
  isUploadResponse,
  parseErrorResponse,
  UPLOAD_ENDPOINTS,
  type UploadMedia,
} from '@parley/client';
import { UPLOAD_ID_HEADER } from '@parley/contract';

/** Milliseconds without progress, or without a response to a complete upload, after which an upload fails. */
const STALL_TIMEOUT_MS = 3 * 60_000;

/** Follows an upload with an id. Returns a function that stops following and cancels an incomplete upload. */
export type FollowUpload = (id: string, onProgress: (share: number) => void) => () => void;

let uploads = 0;

/** Creates the upload of images and recordings, whose progress `follow` reports if requests do not. */
export function createUploadMedia(follow?: FollowUpload): UploadMedia {
  return (...upload) => uploadMedia(follow, ...upload);
}

/**
 * Uploads an image or a recording. Uses XMLHttpRequest, as `fetch` does not report the progress of uploads.
 * Rejects with an `ApiError`, or with an `AbortError` if the caller aborted the upload.
 */
function uploadMedia(
  follow: FollowUpload | undefined,
  ...[api, kind, file, fileName, { onProgress, signal, peaks } = {}]: Parameters<UploadMedia>
): ReturnType<UploadMedia> {
  return new Promise((resolve, reject) => {
    api.checkUser();
    const xhr = new XMLHttpRequest();
    const { method, path } = UPLOAD_ENDPOINTS[kind];
    xhr.open(method, api.origin + path);
    xhr.withCredentials = true;
    xhr.responseType = 'json';
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Without this timer, a dead connection would block the uploads queued behind this one until the browser
    // notices it.
    const restartTimer = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reject(new ApiError('offline', 0, 'The upload stalled'));
        xhr.abort();
      }, STALL_TIMEOUT_MS);
    };
    xhr.addEventListener('loadend', () => clearTimeout(timer));
    xhr.upload.addEventListener('progress', (event) => {
      restartTimer();
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    xhr.addEventListener('load', () => {
      const body: unknown = xhr.response;
      if (xhr.status >= 200 && xhr.status < 300 && isUploadResponse(body)) resolve(body);
      else reject(parseErrorResponse(xhr.status, body, xhr.getResponseHeader('retry-after')));
    });
    xhr.addEventListener('error', () => reject(new ApiError('offline', 0, 'No response')));
    xhr.addEventListener('abort', () => reject(new DOMException('Canceled', 'AbortError')));
    if (signal?.aborted) {
      reject(new DOMException('Canceled', 'AbortError'));
      return;
    }
    signal?.addEventListener('abort', () => xhr.abort(), { once: true });

    const form = new FormData();
    // The server accepts fields only before the file.
    if (peaks) form.append('peaks', JSON.stringify(peaks));
    form.append(kind, file, fileName);
    if (follow) {
      uploads += 1;
      const id = `upload-${uploads}`;
      xhr.setRequestHeader(UPLOAD_ID_HEADER, id);
      const stop = follow(id, (share) => {
        restartTimer();
        onProgress?.(share);
      });
      xhr.addEventListener('loadend', stop);
    }
    xhr.send(form);
    restartTimer();
  });
}
