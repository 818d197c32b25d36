/** What stands in a flowchart that is written in the small part of Mermaid we use. */
export interface Chart {
  /** By id: the brackets that give a node its shape, and the lines of its label. */
  readonly nodes: ReadonlyMap<string, { readonly shape: string; readonly label: string }>;
  /** The ids in each frame, in order. */
  readonly frames: readonly (readonly string[])[];
  /** `do1 --> do2` and `do1 -.-> undo1`, with the label of the arrow behind a colon. */
  readonly arrows: readonly string[];
  /** The ids that are marked, with the class that marks them. */
  readonly marked: ReadonlyMap<string, string>;
}

/** What a label may hold as it is; everything else is a code such as `#34;`. */
const LABEL = String.raw`"((?:[\p{L}\p{N} .,:()'-]|<br/>|#\d+;)+)"`;
const ID = '[a-z]+[0-9]*';
const NODE = new RegExp(String.raw`^(${ID})(\[|\(\[|\(|\{\{)${LABEL}(\]|\]\)|\)|\}\})$`, 'u');
const ARROW = new RegExp(String.raw`^(${ID}) (-->|-\.->)(?:\|${LABEL}\|)? (${ID})$`, 'u');
const FRAME = new RegExp(String.raw`^subgraph (${ID}) \[${LABEL}\]$`, 'u');
const CLASSES = new RegExp(String.raw`^class (${ID}) ([a-z]+)$`);
const STYLE = /^classDef [a-z]+ [a-z-]+:\d+px$/;
const CLOSES: Readonly<Record<string, string>> = { '[': ']', '([': '])', '(': ')', '{{': '}}' };
/** Words that end a flowchart or begin a statement, so that no node may be called so. */
const RESERVED = ['end', 'graph', 'subgraph', 'class', 'style', 'click', 'default', 'direction'];

/**
 * Reads a flowchart, and throws on any line that is not of it: stricter than Mermaid, which takes
 * much that was not meant.
 */
export function readMermaid(text: string): Chart {
  const [head, ...lines] = text.split('\n');
  if (head !== 'flowchart TD') throw new Error(`not a flowchart: ${head}`);
  const nodes = new Map<string, { shape: string; label: string }>();
  const marked = new Map<string, string>();
  const [frames, arrows]: [string[][], string[]] = [[], []];
  let frame: string[] | null = null;
  for (const line of lines) {
    const said = line.slice(frame === null || line === '  end' ? 2 : 4);
    if (line !== `${frame === null || line === '  end' ? '  ' : '    '}${said.trim()}`) {
      throw new Error(`not indented as it should be: ${line}`);
    }
    const [, id = '', open = '', label = '', close] = NODE.exec(said) ?? [];
    const [, from, arrow, name, to] = ARROW.exec(said) ?? [];
    const [, of = '', by = ''] = CLASSES.exec(said) ?? [];
    if (id !== '') {
      if (CLOSES[open] !== close || nodes.has(id) || RESERVED.includes(id)) throw wrong(line);
      nodes.set(id, { shape: `${open}${close}`, label });
      frame?.push(id);
    } else if (arrow !== undefined) {
      arrows.push(`${from} ${arrow} ${to}${name === undefined ? '' : `: ${name}`}`);
      for (const end of [from, to]) if (!nodes.has(end ?? '')) throw wrong(line);
    } else if (FRAME.test(said) && frame === null) frames.push((frame = []));
    else if (said === 'end' && frame !== null) frame = null;
    else if (of !== '' && nodes.has(of)) marked.set(of, by);
    else if (!STYLE.test(said)) throw wrong(line);
  }
  if (frame !== null) throw new Error('a frame is not closed');
  return { nodes, frames, arrows, marked };
}

function wrong(line: string): Error {
  return new Error(`not of a flowchart: ${line}`);
}
