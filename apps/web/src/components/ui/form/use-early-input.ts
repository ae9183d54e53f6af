import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useRef } from "react";

/**
 * useEarlyInput returns the ref of a control. React misses input from before hydration and would reset it. So the
 * control repeats the event once React handles it.
 */
export function useEarlyInput<Control extends HTMLElement>(outer?: Ref<Control>): RefObject<Control | null> {
  const inner = useRef<Control>(null);
  useImperativeHandle(outer, () => inner.current as Control, []);
  useLayoutEffect(() => {
    const repeat = inner.current && findMissed(inner.current);
    if (!repeat) return;
    // One task each: a form derives its next state from the last rendered one, so several events in one task would
    // overwrite each other.
    const timer = setTimeout(repeat);
    return () => clearTimeout(timer);
  }, []);
  return inner;
}

/** findMissed returns a function that repeats the input that React missed, or null. */
function findMissed(control: HTMLElement): (() => void) | null {
  if (control instanceof HTMLSelectElement) return findMissedChoice(control);
  if (control instanceof HTMLTextAreaElement) return findMissedText(control);
  if (!(control instanceof HTMLInputElement) || control.type === "file") return null;
  return control.type === "checkbox" || control.type === "radio" ? findMissedCheck(control) : findMissedText(control);
}

function findMissedChoice(select: HTMLSelectElement): (() => void) | null {
  const rendered = [...select.options].find((option) => option.defaultSelected);
  if (!rendered || rendered.selected) return null;
  const { value } = select;
  return () => {
    select.value = value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };
}

function findMissedText(field: HTMLInputElement | HTMLTextAreaElement): (() => void) | null {
  const { value, defaultValue } = field;
  if (value === defaultValue) return null;
  return () => {
    // React ignores a value that it has already seen. It overrides the setter of the element, not that of the
    // prototype.
    field.value = defaultValue;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
}

function findMissedCheck(box: HTMLInputElement): (() => void) | null {
  const { checked, defaultChecked, type } = box;
  // Selecting a radio button clears another one. The selected one reports the change.
  if (checked === defaultChecked || (type === "radio" && !checked)) return null;
  return () => {
    box.checked = !checked;
    box.click();
  };
}
