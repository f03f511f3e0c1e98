import { useId, type ComponentProps, type ReactNode, type Ref } from 'react';
import { Card } from '../../ui/Card.tsx';
import { SegmentedControl } from '../../ui/SegmentedControl.tsx';
import css from './SettingsSection.module.css';

interface SettingsSectionProps {
  title: string;
  help?: string;
  /** Ref of the heading, which makes it focusable. */
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** A card with a group of settings. */
export function SettingsSection({ title, help, headingRef, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card className={css.section}>
        <header>
          <h2 id={id} ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
            {title}
          </h2>
          {help !== undefined && <p className={css.help}>{help}</p>}
        </header>
        {children}
      </Card>
    </section>
  );
}

interface SettingRowProps {
  label: string;
  help?: string | undefined;
  children: ReactNode;
}

/** A setting with its label on the left and its control on the right, or below if the card is narrow. */
export function SettingRow({ label, help, children }: SettingRowProps) {
  return (
    <div className={css.row}>
      <div className={css.labelAndHelp}>
        <p className={css.label}>{label}</p>
        {help !== undefined && <p className={css.help}>{help}</p>}
      </div>
      {children}
    </div>
  );
}

/** A setting with few choices. */
export function SettingChoice<Value extends string>({
  help,
  ...control
}: ComponentProps<typeof SegmentedControl<Value>> & Pick<SettingRowProps, 'help'>) {
  return (
    <SettingRow label={control.label} help={help}>
      <SegmentedControl {...control} />
    </SettingRow>
  );
}
