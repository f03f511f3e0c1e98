import { useRef, useState, type DragEvent } from 'react';

interface DropHandlers {
  onDragEnter: (event: DragEvent) => void;
  onDragOver: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** Takes files that are dragged over an element and let go; without `onFiles`, they go astray as beside it. */
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
    isOver,
    handlers: {
      onDragEnter: (event) => {
        if (!onFiles || !hasFiles(event)) return;
        event.preventDefault();
        setDepth(depth.current + 1);
      },
      onDragOver: (event) => {
        if (!onFiles || !hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: (event) => {
        if (hasFiles(event)) setDepth(Math.max(0, depth.current - 1));
      },
      onDrop: (event) => {
        setDepth(0);
        if (!onFiles || !hasFiles(event)) return;
        event.preventDefault();
        onFiles(event.dataTransfer.files);
      },
    },
  };
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files');
}
