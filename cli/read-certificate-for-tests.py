"""Reads a certificate by implementations of DSSE and in-toto that are not ours."""
import json
import sys

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from google.protobuf import json_format
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

if len(sys.argv) < 3:
    sys.exit("usage: CERTIFICATE PUBLIC_KEY...")

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
envelope = Envelope.from_dict(json.loads(json.dumps(document)))
keys = []
for number, path in enumerate(sys.argv[2:]):
    with open(path, "rb") as file:
        keyid = document["signatures"][number]["keyid"]
        keys.append(SSlibKey.from_crypto(load_pem_public_key(file.read()), keyid=keyid))
accepted = envelope.verify(keys, len(keys))

statement = statement_pb2.Statement()
json_format.Parse(envelope.payload, statement)
Statement.copy_from_pb(statement).validate()
result = test_result_pb2.TestResult()
predicate = json.loads(envelope.payload)["predicate"]
json_format.Parse(json.dumps(predicate), result, ignore_unknown_fields=True)
print(json.dumps({"accepted": len(accepted), "type": statement.predicate_type, "result": result.result, "passed": len(result.passed_tests)}))
