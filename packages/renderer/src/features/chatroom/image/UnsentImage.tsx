import type { FileEntry } from '@parley/client';
import { Image as ImageIcon } from 'lucide-react';
import { useCallback } from 'react';
import { useClient } from '../../../client/client-context.ts';
import { showPreview } from '../../../client/show-preview.ts';

interface UnsentImageProps {
  clientId: string;
  file: FileEntry['file'];
  alt: string;
}

/** A chosen image from this device, above an icon that stands in for it. Its message gets its size from it. */
export function UnsentImage({ clientId, file, alt }: UnsentImageProps) {
  const client = useClient();
  const { blob } = file;
  const show = useCallback(
    (element: HTMLImageElement | null) => (element ? showPreview(element, blob) : undefined),
    [blob],
  );
  return (
    <>
      <ImageIcon />
      {/* An SVG could freeze the window before the server has checked its complexity. */}
      {blob.type !== 'image/svg+xml' && (
        <img
          ref={show}
          alt={alt}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            client.setImageSize(clientId, { width, height })
          }
          onError={(event) => event.currentTarget.style.setProperty('visibility', 'hidden')}
        />
      )}
    </>
  );
}
