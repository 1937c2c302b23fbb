import { certificateSubjects } from './certificate-subjects.ts';
import type { CertifiedOriginals } from './certified-originals.ts';
import type { Subject } from './subject.ts';
import { subjects } from './subjects.ts';

/** Every kind of input file. */
export const allSubjects: ReadonlyArray<Subject<CertifiedOriginals>> = [...subjects, ...certificateSubjects];
