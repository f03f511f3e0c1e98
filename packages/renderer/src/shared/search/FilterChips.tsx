import type { SearchKind } from '@parley/contract';
import { CalendarDays, Image, Link, Mic, UserRound, UsersRound, X } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDateFormat } from '../../format/use-date-format.ts';
import { toastError } from '../../ui/show-toast.ts';
import type { DayDialog } from '../calendar/DayDialog.tsx';
import { startOfDay } from '../calendar/days.ts';
import css from './FilterChips.module.css';
import type { SearchFilters } from './search-filters.ts';

interface FilterChipsProps {
  filters: SearchFilters;
  onChange: (filters: SearchFilters) => void;
}

/** The filters of a search: by sender, kind and day. Sender and kind are each a choice of one at most. */
export function FilterChips({ filters, onChange }: FilterChipsProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const [dialog, setDialog] = useState<{ Dialog: typeof DayDialog; name: 'since' | 'before' }>();
  const row = useRef<HTMLFieldSetElement>(null);
  const change = (changed: SearchFilters): void => {
    onChange({ ...filters, ...changed });
    // Where the chips are in one line, those that are on are its first ones.
    row.current?.scrollTo({ left: 0 });
  };
  const openCalendar = async (name: 'since' | 'before'): Promise<void> => {
    try {
      const { DayDialog: Dialog } = await import('../calendar/DayDialog.tsx');
      setDialog({ Dialog, name });
    } catch {
      toastError(t('app.screenFailed'));
    }
  };
  const sender = (from: 'me' | 'partner', label: string, icon: ReactNode) => (
    <Chip
      label={label}
      icon={icon}
      isOn={filters.from === from}
      onClick={() => change({ from: filters.from === from ? undefined : from })}
    />
  );
  const kind = (value: SearchKind, label: string, icon: ReactNode) => (
    <Chip
      label={label}
      icon={icon}
      isOn={filters.kind === value}
      onClick={() => change({ kind: filters.kind === value ? undefined : value })}
    />
  );
  const day = (name: 'since' | 'before') => {
    const chosen = filters[name];
    const isOn = chosen !== undefined;
    const label = isOn
      ? t(`search.${name}Day`, { day: format.date(startOfDay(chosen).toISOString()) })
      : t(`search.${name}`);
    return (
      <Chip
        label={label}
        icon={isOn ? <X /> : <CalendarDays />}
        isOn={isOn}
        onClick={() => (isOn ? change({ [name]: undefined }) : void openCalendar(name))}
      />
    );
  };
  return (
    <fieldset ref={row} className={css.chips} aria-label={t('search.filters')}>
      {sender('me', t('search.fromMe'), <UserRound />)}
      {sender('partner', t('search.fromPartner'), <UsersRound />)}
      {kind('image', t('search.images'), <Image />)}
      {kind('audio', t('search.recordings'), <Mic />)}
      {kind('link', t('search.links'), <Link />)}
      {day('since')}
      {day('before')}
      {dialog && (
        <dialog.Dialog
          title={t(`search.${dialog.name}Title`)}
          selected={filters[dialog.name]}
          onChoose={(chosen) => change({ [dialog.name]: chosen })}
          onClose={() => setDialog(undefined)}
        />
      )}
    </fieldset>
  );
}

interface ChipProps {
  label: string;
  icon: ReactNode;
  isOn: boolean;
  onClick: () => void;
}

/** A button that turns a filter on or off. */
function Chip({ label, icon, isOn, onClick }: ChipProps) {
  return (
    <button type="button" className={css.chip} aria-pressed={isOn} onClick={onClick}>
      {icon}
      {label}
    </button>
  );
}
