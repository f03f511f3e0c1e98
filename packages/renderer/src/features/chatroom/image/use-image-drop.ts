import { useRef, useState, type DragEvent } from 'react';

interface DropHandlers {
  onDragEnter: (event: DragEvent) => void;
  onDragOver: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** Takes files that are dragged over an element and let go; refuses them where there is nothing to take them. */
export function useImageDrop(onFiles: ((files: Iterable<File>) => void) | undefined): {
  isOver: boolean;
  handlers: DropHandlers;
} {
  // Entering a child comes before leaving its parent: only the count tells whether it is outside.
  const depth = useRef(0);
  const [isOver, setIsOver] = useState(false);
  const setDepth = (value: number): void => {
    depth.current = value;
    setIsOver(value > 0);
  };
  return {
    isOver: isOver && onFiles !== undefined,
    handlers: {
      onDragEnter: (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth(depth.current + 1);
      },
      onDragOver: (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = onFiles ? 'copy' : 'none';
      },
      onDragLeave: (event) => {
        if (hasFiles(event)) setDepth(Math.max(0, depth.current - 1));
      },
      onDrop: (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        onFiles?.(event.dataTransfer.files);
      },
    },
  };
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files');
}
