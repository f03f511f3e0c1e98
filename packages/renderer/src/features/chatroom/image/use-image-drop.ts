import { useRef, useState, type DragEvent } from 'react';

interface DropHandlers {
  onDragEnter: (event: DragEvent) => void;
  onDragOver: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** Handles dropping files onto an element. Without `onFiles`, it does not accept them. */
export function useImageDrop(onFiles: ((files: Iterable<File>) => void) | undefined): {
  isOver: boolean;
  handlers: DropHandlers;
} {
  // The browser fires `dragenter` for a child before `dragleave` for its parent, so the events are counted.
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
