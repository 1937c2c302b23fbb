import { expect, it } from 'vitest';
import { objectionsIn } from './schemathesis.ts';

it('takes the operation and the code of every objection', () => {
  const xml = `<?xml version="1.0"?><testsuites><testsuite name="schemathesis">
    <testcase name="GET /api/v1/bootstrap"><failure type="failure" message="ST204">1. Test Case ID: a

- ST204 Wrong response to undeclared method

- ST108 Response violates schema</failure><failure message="ST001">- ST001 Server error</failure></testcase>
    <testcase name="GET /api/v1/search"></testcase>
  </testsuite></testsuites>`;
  expect([...objectionsIn(xml)]).toEqual([
    'GET /api/v1/bootstrap ST204',
    'GET /api/v1/bootstrap ST108',
    'GET /api/v1/bootstrap ST001',
  ]);
});

it('takes a report without objections for what it is', () => {
  expect(objectionsIn('<testsuites><testsuite><testcase name="GET /x"/></testsuite></testsuites>').size).toBe(
    0,
  );
});
