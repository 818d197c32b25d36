/** What may be told of one step. What is missing is told in the words of the API. */
export interface StepWords {
  /** It was sent, and before its answer something happened that is no step beside it. */
  readonly begun?: string;
  readonly done?: string;
  readonly refused?: string;
  readonly unknown?: string;
  /** Its undo is done. */
  readonly undone?: string;
}

/** A line of the sandbox's record of effects: what a provider really did. */
export type Effect = Readonly<Record<string, unknown>>;

/** What came of one thing that a provider did, by the provider's own record. */
export interface Standing {
  readonly what: string;
  /** Whether it is still so: nothing stands of what was undone. */
  readonly stands: boolean;
  readonly how: string;
}

/** One run that the demo brings to an end, and the words to tell it in. */
export interface DemoStory {
  readonly title: string;
  /** What is asked for, and with what. */
  readonly order: { readonly path: string; readonly body: unknown };
  /** Cancels as soon as this step is on its way, at this path below that of the order. */
  readonly cancel?: { readonly during: string; readonly path: (id: string) => string };
  /** The state of the run at which the story is over. */
  readonly endsAs: string;
  /** What the customer would call that end. */
  readonly end: string;
  readonly ordered: string;
  readonly steps: Readonly<Record<string, StepWords>>;
  standing(effects: readonly Effect[]): readonly Standing[];
  /** What the act of this step would have answered; `undefined` when it did nothing. */
  valueOf(step: string, effects: readonly Effect[]): unknown;
}
