/** Whom a provider deals with: the traveller, the guest. */
export interface Person {
  readonly name: string;
  readonly email: string;
}
