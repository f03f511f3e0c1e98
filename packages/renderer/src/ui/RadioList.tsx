import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { CircleAlert } from 'lucide-react';
import { useId, type Ref } from 'react';
import fieldCss from './Field.module.css';
import css from './RadioList.module.css';

interface RadioOption<Value extends string> {
  value: Value;
  label: string;
  help?: string;
}

interface RadioListProps<Value extends string> {
  /** The accessible name of the group. */
  label: string;
  /** Whether the label is shown above the options. */
  isLabelVisible?: boolean;
  /** Undefined until an option is chosen. */
  value: Value | undefined;
  onValueChange: (value: Value) => void;
  options: readonly RadioOption<Value>[];
  error?: string | undefined;
  ref?: Ref<HTMLDivElement>;
}

/** A group of radio buttons below each other, for options with long labels. */
export function RadioList<Value extends string>({
  label,
  isLabelVisible = false,
  value,
  onValueChange,
  options,
  error,
  ref,
}: RadioListProps<Value>) {
  const errorId = useId();
  return (
    <RadioGroup<Value | null>
      ref={ref}
      aria-label={label}
      aria-describedby={error === undefined ? undefined : errorId}
      aria-invalid={error !== undefined || undefined}
      value={value ?? null}
      onValueChange={(chosen) => chosen !== null && onValueChange(chosen)}
      className={css.list}
    >
      {isLabelVisible && (
        <p className={css.label} aria-hidden="true">
          {label}
        </p>
      )}
      {options.map((option) => (
        <Option key={option.value} {...option} />
      ))}
      {error !== undefined && (
        <p id={errorId} className={fieldCss.error}>
          <CircleAlert />
          <span>{error}</span>
        </p>
      )}
    </RadioGroup>
  );
}

function Option({ value, label, help }: RadioOption<string>) {
  const id = useId();
  const helpId = `${id}-help`;
  return (
    // The radio button is labelled explicitly, as the text of a label would include the help.
    <label className={css.option}>
      <Radio.Root
        value={value}
        aria-labelledby={id}
        aria-describedby={help === undefined ? undefined : helpId}
        className={css.circle}
      >
        <Radio.Indicator className={css.dot} />
      </Radio.Root>
      <span>
        <span id={id}>{label}</span>
        {help !== undefined && (
          <span id={helpId} className={css.help}>
            {help}
          </span>
        )}
      </span>
    </label>
  );
}
