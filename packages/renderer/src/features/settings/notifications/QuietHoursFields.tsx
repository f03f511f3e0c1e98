import type { QuietHours } from '@parley/contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import fieldCss from '../../../ui/Field.module.css';
import { SegmentedControl } from '../../../ui/SegmentedControl.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import css from './NotificationsSection.module.css';
import { deviceTimeZone, listTimeZones } from './time-zones.ts';
import { useChangeNotifications } from './use-change-notifications.ts';

const DEFAULT_HOURS = { from: '22:00', to: '07:00', isOnlySound: false };

/** The hours of each day in which notifications and sounds are off. */
export function QuietHoursFields({ saved }: { saved: QuietHours | null }) {
  const { t } = useTranslation();
  const change = useChangeNotifications();
  const modeId = useId();
  return (
    <div className={css.group}>
      <Checkbox
        name="quietHours"
        checked={saved !== null}
        help={t('notifications.quietHelp')}
        onCheckedChange={(checked) =>
          change({ quietHours: checked ? { ...DEFAULT_HOURS, timeZone: deviceTimeZone() } : null })
        }
      >
        {t('notifications.quiet')}
      </Checkbox>
      {saved && (
        <div className={css.quiet}>
          <div className={css.times}>
            <TimeField
              name="quietFrom"
              label={t('notifications.quietFrom')}
              saved={saved.from}
              onSave={(from) => change({ quietHours: { ...saved, from } })}
            />
            <TimeField
              name="quietTo"
              label={t('notifications.quietTo')}
              saved={saved.to}
              onSave={(to) => change({ quietHours: { ...saved, to } })}
            />
            <TimeZoneField
              saved={saved.timeZone}
              onSave={(timeZone) => change({ quietHours: { ...saved, timeZone } })}
            />
          </div>
          <div className={css.mode}>
            <p id={modeId} aria-hidden="true" className={fieldCss.label}>
              {t('notifications.quietMode')}
            </p>
            <SegmentedControl
              label={t('notifications.quietMode')}
              value={saved.isOnlySound ? 'sound' : 'all'}
              onValueChange={(mode) =>
                change({ quietHours: { ...saved, isOnlySound: mode === 'sound' } })
              }
              options={[
                { value: 'all', label: t('notifications.quietNothing') },
                { value: 'sound', label: t('notifications.quietOnlySound') },
              ]}
            />
          </div>
        </div>
      )}
    </div>
  );
}

interface TimeFieldProps {
  name: string;
  label: string;
  saved: string;
  onSave: (time: string) => void;
}

/** A time of day, which is saved when the user leaves the field. */
function TimeField({ name, label, saved, onSave }: TimeFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string>();
  // Browsers report an incomplete time as an empty value.
  const isIncomplete = typed === '';

  function save(): void {
    if (typed === undefined || isIncomplete) return;
    setTyped(undefined);
    if (typed !== saved) onSave(typed);
  }

  return (
    <TextField
      type="time"
      name={name}
      label={label}
      required
      value={typed ?? saved}
      error={isIncomplete ? t('notifications.quietInvalid') : undefined}
      onValueChange={setTyped}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save();
      }}
    />
  );
}

function TimeZoneField({ saved, onSave }: { saved: string; onSave: (timeZone: string) => void }) {
  const { t } = useTranslation();
  const here = deviceTimeZone();
  return (
    <div className={css.zone}>
      <Field label={t('notifications.quietZone')}>
        {(control) => (
          <select
            {...control}
            name="quietZone"
            className={fieldCss.input}
            value={saved}
            onChange={(event) => onSave(event.currentTarget.value)}
          >
            {listTimeZones(saved).map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        )}
      </Field>
      {here !== saved && (
        <Button variant="ghost" onClick={() => onSave(here)}>
          {t('notifications.quietZoneHere', { zone: here.replaceAll('_', ' ') })}
        </Button>
      )}
    </div>
  );
}
