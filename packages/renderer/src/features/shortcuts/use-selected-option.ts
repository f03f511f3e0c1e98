import { useState } from 'react';
import type { SwitcherOption } from './SwitcherOptions.tsx';

/** How many options Page Up and Page Down move. */
const PAGE = 8;

/** The selected option, and how to select another one. */
interface SelectedOption {
  /** Undefined if there are no options. */
  current: SwitcherOption | undefined;
  select: (id: string | undefined) => void;
  /** Selects the option to which a key moves. Returns false if it moves to none. */
  selectByKey: (key: string) => boolean;
}

/**
 * Returns the selected option: the first one, unless another one was selected and is still there.
 * @param findInitial returns the id of the option that is selected at first
 * @param hasMore whether more options are about to follow the last one
 */
export function useSelectedOption(
  options: readonly SwitcherOption[],
  findInitial: () => string | undefined,
  hasMore: boolean,
): SelectedOption {
  // By its id, so that it stays selected when the options move.
  const [selectedId, setSelectedId] = useState(findInitial);
  const selected = Math.max(
    options.findIndex(({ id }) => id === selectedId),
    0,
  );
  return {
    current: options[selected],
    select: setSelectedId,
    selectByKey: (key) => {
      const last = options.length - 1;
      const targets: Readonly<Record<string, number>> = {
        ArrowDown: selected < last ? selected + 1 : hasMore ? last : 0,
        ArrowUp: selected === 0 ? last : selected - 1,
        PageDown: Math.min(selected + PAGE, last),
        PageUp: Math.max(selected - PAGE, 0),
      };
      const target = options[targets[key] ?? -1];
      if (target === undefined) return false;
      setSelectedId(target.id);
      return true;
    },
  };
}
