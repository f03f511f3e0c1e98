import type { FileEntry } from '@parley/client';
import { Image as ImageIcon } from 'lucide-react';
import { useClient } from '../../../client/client-context.ts';

interface UnsentImageProps {
  clientId: string;
  file: FileEntry['file'];
  alt: string;
}

/** A chosen image from this device, above an icon that stands in for it. Its message gets its size from it. */
export function UnsentImage({ clientId, file, alt }: UnsentImageProps) {
  const client = useClient();
  return (
    <>
      <ImageIcon />
      {/* An SVG could freeze the window before the server has checked its complexity. */}
      {file.blob.type !== 'image/svg+xml' && (
        <img
          src={file.previewUrl}
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
