import type { Call } from 'recourse';
import type { Answer, ProviderClient, ProviderRequest, Sending } from 'recourse/activity';

/** A client that sends nothing: it keeps what it was asked to send, and answers as it was told. */
export interface ScriptedClient extends ProviderClient {
  readonly sent: readonly { readonly key: string; readonly request: ProviderRequest }[];
}

export function scriptedClient(answer: Answer): ScriptedClient {
  const sent: { key: string; request: ProviderRequest }[] = [];
  return {
    sent,
    async send({ key }: Sending, request: ProviderRequest) {
      sent.push({ key, request });
      return answer;
    },
  };
}

/** A whole answer with a JSON body. */
export function jsonAnswer(status: number, value: unknown): Answer {
  return { kind: 'answered', status, body: { kind: 'json', value } };
}

/** A call with time enough. */
export function callWith<Input>(key: string, input: Input): Call<Input> {
  const signal = new AbortController().signal;
  return { key, input, sendBy: new Date(Date.UTC(2031, 0, 1)), msLeft: 5_000, signal };
}
