import { statusOf } from '../../harness/evidence/answer.ts';
import { isMalformed, isStructural, mayBeReadAs } from '../../harness/fuzzing/path-segment.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { declaresAsItsOwn, type Operation } from '../../spec/operation.ts';

/**
 * Whether a path value may get this response. A value that the grammar does not allow may be refused in any way, and a
 * value that names no resource may lead to any route; neither may break the target.
 */
export function isAllowedAnswer(
  operation: Operation,
  { raw, known, exchange }: { readonly raw: string; readonly known: string; readonly exchange: Exchange },
): boolean {
  const status = statusOf(exchange);
  if (showsSystemFile(exchange)) return false;
  // After normalisation, the URL may be that of another route.
  if (isStructural(raw)) return status !== undefined && status < 500;
  if (isMalformed(raw)) return status === 200 || (status !== undefined && status >= 300 && status < 500);
  if (status === 409) return operation.role === 'ends-session' && mayBeReadAs(raw, known);
  if (status === undefined) return false;
  return [200, 400, 404].includes(status) || declaresAsItsOwn(operation, status);
}

/** Content of files that every system of a family has, which no service publishes. */
const systemFiles = /^root:[^:\n]*:0:0:|^\[(?:boot loader|fonts|extensions)\]\s*$/m;

/** Whether a 200 shows the content of a system file: the value was taken for a path in the file system. */
function showsSystemFile({ response }: Exchange): boolean {
  return response?.status === 200 && systemFiles.test(response.body.text);
}
