"""The Kubernetes manifests, checked without a cluster: against schemas, each other, and the code."""

import re
from pathlib import Path
from typing import Any

import click
import kubernetes_validate
import pytest
import yaml

from kontor_games.service.cli import main
from kontor_games.service.settings import Settings, SettingsError
from tests.api.contract import operations

DEPLOY = Path(__file__).parents[2] / "deploy"
FILES = sorted((DEPLOY / "kubernetes").rglob("*.yaml"))
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.load((DEPLOY / "compose.yaml").read_bytes(), yaml.CSafeLoader)
MANIFESTS: list[dict[str, Any]] = [
    manifest for file in FILES for manifest in yaml.load_all(file.read_bytes(), yaml.CSafeLoader)
]
RELEASES = ("1.29", "1.32", kubernetes_validate.latest_version())
"""The oldest supported release, one in between, and the newest for which a schema is installed."""


def named(kind: str, name: str) -> dict[str, Any]:
    [found] = [one for one in MANIFESTS if (one["kind"], one["metadata"]["name"]) == (kind, name)]
    return found


def title(manifest: dict[str, Any]) -> str:
    return f"{manifest['kind']} {manifest['metadata']['name']}"


PODS = {
    title(one): one["spec"]["template"]["spec"] for one in MANIFESTS if one["kind"] in ("Deployment", "Job")
}


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("manifest", MANIFESTS, ids=title)
def test_a_manifest_fits_the_schema_of_its_kind(manifest: dict[str, Any], release: str) -> None:
    kubernetes_validate.validate(manifest, release, strict=True)


def test_the_schemas_notice_a_mistake() -> None:
    wrong = {**named("Service", "kontor-api"), "spec": {"ports": [{"port": "http"}]}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, RELEASES[-1], strict=True)


def test_the_manifests_have_everything_that_an_installation_needs() -> None:
    assert sorted(map(title, MANIFESTS)) == [
        "ConfigMap kontor",
        "Deployment kontor-api",
        "Deployment kontor-work",
        "Ingress kontor",
        "Job kontor-migrate",
        "Namespace kontor",
        "PodDisruptionBudget kontor-api",
        "PodDisruptionBudget kontor-work",
        "Secret kontor",
        "Secret kontor-migrate",
        "Service kontor-api",
        "Service kontor-nothing",
    ]
    assert {one["metadata"].get("namespace", "kontor") for one in MANIFESTS} == {"kontor"}


def environment_of(pod: dict[str, Any]) -> dict[str, str]:
    [container] = pod["containers"]
    given: dict[str, str] = {}
    for source in container["envFrom"]:
        [(kind, reference)] = source.items()
        manifest = named({"configMapRef": "ConfigMap", "secretRef": "Secret"}[kind], reference["name"])
        given |= manifest.get("data") or manifest["stringData"]
    return given | {variable["name"]: variable["value"] for variable in container.get("env", [])}


def settings_of(environment: dict[str, str]) -> Settings:
    return Settings.from_environ(
        {name: value for name, value in environment.items() if name.startswith("KONTOR_")}
    )


@pytest.mark.parametrize("pod", PODS)
def test_the_secrets_of_the_example_are_refused(pod: str) -> None:
    given = environment_of(PODS[pod])
    with pytest.raises(SettingsError) as refused:
        settings_of(given)
    placeholders = sorted(name for name, value in given.items() if "CHANGE-ME" in value)
    assert len(placeholders) == 2
    assert sorted(fault.split()[0] for fault in refused.value.faults) == placeholders


@pytest.mark.parametrize("pod", PODS)
def test_every_variable_is_a_setting_that_the_service_reads(pod: str) -> None:
    filled = {
        name: value.replace("CHANGE-ME", "0123456789") for name, value in environment_of(PODS[pod]).items()
    }
    given, settings = filled, settings_of(filled)
    others = {name for name in given if not name.startswith("KONTOR_")}
    assert others == ({"WEB_CONCURRENCY"} if pod == "Deployment kontor-api" else set())
    assert settings.database_url.endswith("?target_session_attrs=read-write")
    assert settings.workers_in_process == (pod != "Deployment kontor-api")
    assert settings.metrics_port == (9464 if pod == "Deployment kontor-work" else 0)
    owner = settings.service_role is not None
    assert owner == (pod == "Job kontor-migrate")
    assert ("//kontor:" in settings.database_url) == owner


@pytest.mark.parametrize("pod", PODS)
def test_the_image_is_that_of_the_dockerfile_and_runs_as_its_user(pod: str) -> None:
    [container] = PODS[pod]["containers"]
    tagged = re.findall(r"--tag (\S+)", DOCKERFILE)
    assert [container["image"]] == tagged
    assert COMPOSE["x-kontor"]["image"].replace("${IMAGE_TAG:-", "").rstrip("}") == container["image"]
    security = PODS[pod]["securityContext"]
    [user] = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    assert (security["runAsNonRoot"], security["runAsUser"]) == (True, int(user))
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["volumeMounts"] == [{"name": "tmp", "mountPath": COMPOSE["x-kontor"]["tmpfs"][0]}]
    assert PODS[pod]["automountServiceAccountToken"] is False
    assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
    assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("pod", ["Job kontor-migrate", "Deployment kontor-work"])
def test_the_commands_exist(pod: str) -> None:
    program, command = PODS[pod]["containers"][0]["command"]
    assert program == "kontor"
    assert main.get_command(click.Context(main), command) is not None


def test_probes_use_paths_of_the_contract_and_the_port_of_the_image() -> None:
    [api] = PODS["Deployment kontor-api"]["containers"]
    probes = {name: api[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {probe["path"] for probe in probes.values()} <= {path for _, path, _, _ in operations()}
    assert [probe["path"] for probe in probes.values()] == ["/healthz", "/healthz", "/readyz"]
    ports = {port["name"]: port["containerPort"] for port in api["ports"]}
    assert {ports[probe["port"]] for probe in probes.values()} == set(
        map(int, re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE))
    )
    [work] = PODS["Deployment kontor-work"]["containers"]
    [metrics] = work["ports"]
    assert work["livenessProbe"]["httpGet"] == {"path": "/metrics", "port": metrics["name"]}
    assert (
        str(metrics["containerPort"]) == environment_of(PODS["Deployment kontor-work"])["KONTOR_METRICS_PORT"]
    )


@pytest.mark.parametrize("name", ["kontor-api", "kontor-work"])
def test_selectors_match_the_pods_and_one_pod_may_be_unavailable(name: str) -> None:
    deployment, budget = named("Deployment", name), named("PodDisruptionBudget", name)
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels
    assert budget["spec"]["selector"]["matchLabels"] == labels
    assert 1 <= budget["spec"]["minAvailable"] < deployment["spec"]["replicas"]
    notes = deployment["spec"]["template"]["metadata"]["annotations"]
    [container] = deployment["spec"]["template"]["spec"]["containers"]
    assert notes["prometheus.io/port"] == str(container["ports"][0]["containerPort"])


def test_pods_have_time_to_shut_down_gracefully() -> None:
    grace = int(re.findall(r"^graceful_timeout = (\d+)$", gunicorn_conf(), re.MULTILINE)[0])
    pod = PODS["Deployment kontor-api"]
    [container] = pod["containers"]
    pause = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] > grace + pause


def gunicorn_conf() -> str:
    return (DEPLOY.parent / "service/cli/gunicorn_conf.py").read_text(encoding="utf-8")


def test_the_ingress_routes_to_the_service_has_the_limits_of_our_nginx_and_hides_metrics() -> None:
    ingress, nginx = named("Ingress", "kontor"), (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    notes = {name.rpartition("/")[2]: value for name, value in ingress["metadata"]["annotations"].items()}
    assert notes == {
        "limit-connections": re.findall(r"limit_conn addresses (\d+);", nginx)[0],
        "proxy-body-size": re.findall(r"client_max_body_size (\S+);", nginx)[0],
        "proxy-read-timeout": re.findall(r"proxy_read_timeout (\d+)s;", nginx)[0],
        "proxy-connect-timeout": re.findall(r"proxy_connect_timeout (\d+)s;", nginx)[0],
        "proxy-next-upstream": re.findall(r"proxy_next_upstream (.+?);", nginx)[0],
    }
    [rule] = ingress["spec"]["rules"]
    ways = {way["path"]: way["backend"]["service"]["name"] for way in rule["http"]["paths"]}
    assert ways == {"/metrics": "kontor-nothing", "/": "kontor-api"}
    assert "selector" not in named("Service", "kontor-nothing")["spec"]
    log_origin = named("ConfigMap", "kontor")["data"]["KONTOR_LOG_ORIGIN"]
    assert log_origin == f"{rule['host']}/v1/log"
    assert ingress["spec"]["tls"][0]["hosts"] == [rule["host"]]


def test_the_example_of_secrets_contains_no_real_secret() -> None:
    for name in ("kontor", "kontor-migrate"):
        values = named("Secret", name)["stringData"]
        assert all("CHANGE-ME" in value or key == "KONTOR_SERVICE_ROLE" for key, value in values.items())
