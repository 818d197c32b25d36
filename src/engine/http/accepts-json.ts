const RANGE = /^(?:\*\/\*|application\/\*|application\/(?:problem\+)?json)$/;

/** Whether an Accept header allows JSON; one that is absent or empty does. */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true;
  return header.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return (
      RANGE.test(type) && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter))
    );
  });
}
