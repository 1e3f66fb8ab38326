// The verdicts of functions, which are marked beside their lines.

export interface FunctionStatus {
  name: string;
  line: number;
  verdict: string;
  words: string;
}

export interface StatusMessage {
  uri: string;
  functions: FunctionStatus[];
}

export type Mark = "good" | "bounded" | "bad" | "open";

/** Which mark a verdict has. What is not known for certain is never `good`. */
export function mark(verdict: string): Mark {
  switch (verdict) {
    case "proved":
      return "good";
    case "bounded":
      return "bounded";
    case "bug":
    case "bug-unconfirmed":
      return "bad";
    default:
      return "open";
  }
}

/** The functions of each mark. */
export function byMark(functions: FunctionStatus[]): Map<Mark, FunctionStatus[]> {
  const marks = new Map<Mark, FunctionStatus[]>([["good", []], ["bounded", []], ["bad", []], ["open", []]]);
  for (const one of functions) marks.get(mark(one.verdict))?.push(one);
  return marks;
}
