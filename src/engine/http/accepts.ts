const JSON_RANGE = /^(?:\*\/\*|application\/\*|application\/(?:problem\+)?json)$/;
const EVENTS_RANGE = /^(?:\*\/\*|text\/\*|text\/event-stream)$/;

/** Whether an Accept header allows JSON; one that is absent or empty does. */
export function acceptsJson(header: string | undefined): boolean {
  return accepts(header, JSON_RANGE);
}

/** Whether an Accept header allows a stream of events; one that is absent or empty does. */
export function acceptsEvents(header: string | undefined): boolean {
  return accepts(header, EVENTS_RANGE);
}

function accepts(header: string | undefined, wanted: RegExp): boolean {
  if (header === undefined || header.trim() === '') return true;
  return header.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return (
      wanted.test(type) && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter))
    );
  });
}
