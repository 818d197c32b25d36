type CharacterOf<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First | CharacterOf<Rest>
  : never;
type Letter = CharacterOf<'abcdefghijklmnopqrstuvwxyz'>;
type NameCharacter = Letter | CharacterOf<'0123456789-'>;
type OnlyNameCharacters<Text extends string> = Text extends ''
  ? true
  : Text extends `${NameCharacter}${infer Rest}`
    ? OnlyNameCharacters<Rest>
    : false;
type IsName<Text extends string> = Text extends `${Letter}${infer Rest}`
  ? OnlyNameCharacters<Rest>
  : false;

/** `Name` itself when a step may be called so, else a sentence that says why not. */
export type StepName<Name extends string, Results> = string extends Name
  ? 'the name of a step must be written out, so that later steps can read its result'
  : Name extends keyof Results
    ? 'another step has this name'
    : Name extends 'input'
      ? '"input" is what the saga was started with'
      : IsName<Name> extends true
        ? Name
        : 'the name of a step starts with a letter and has only a-z, 0-9 and -';
