import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import type { ReactNode } from 'react';
import css from './SegmentedControl.module.css';

interface Segment<Value extends string> {
  value: Value;
  label: string;
  icon?: ReactNode;
}

interface SegmentedControlProps<Value extends string> {
  /** The accessible name of the group. */
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly Segment<Value>[];
}

/** A group of radio buttons in one bar, for few options. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  onValueChange,
  options,
}: SegmentedControlProps<Value>) {
  return (
    <RadioGroup aria-label={label} value={value} onValueChange={onValueChange} className={css.bar}>
      {options.map((option) => (
        <Radio.Root key={option.value} value={option.value} className={css.segment}>
          {option.icon}
          <span>{option.label}</span>
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
